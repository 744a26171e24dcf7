#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| decbench_fuzz::answers(data));
