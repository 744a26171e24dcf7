//! Disks that are full or read-only. Mode bits do not bind an administrator, so these are small disks of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

use decbench_core::collect::{CollectError, Mode};
use serde_json::json;

use crate::bench::Bench;
use crate::processes::start;
use crate::support::system_one::Server;

/// A small disk in memory; it goes when dropped.
struct Disk {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Disk {
    /// A disk of so many KiB; `None`, with the reason on standard error, where nothing may be mounted.
    #[expect(
        clippy::print_stderr,
        reason = "whoever reads the log should know that nothing was tested"
    )]
    fn new(kib: u32) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("disk");
        std::fs::create_dir(&path).expect("a folder");
        let size = format!("size={kib}k,mode=777");
        if let Err(reason) = mount(&["-t", "tmpfs", "-o", &size, "tmpfs"], &path) {
            eprintln!("skipped, as no disk can be mounted: {reason}");
            return None;
        }
        Some(Self {
            _folder: folder,
            path,
        })
    }

    fn remount(&self, options: &str) {
        mount(&["-o", &format!("remount,{options}")], &self.path).expect("it was mounted before");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.path).output();
    }
}

fn mount(options: &[&str], path: &Path) -> Result<(), String> {
    let output = Command::new("mount")
        .args(options)
        .arg(path)
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
}

/// Fills until the disk is full, makes it larger, and fills to the end.
fn fill_a_full_disk(answers_and_runs_apart: bool) {
    const CASES: usize = 400;
    let Some(disk) = Disk::new(96) else { return };
    let server = Server::answering();
    let mut bench = Bench::new(&disk.path, &server, CASES);
    bench.set("concurrency", json!(6));
    let elsewhere = tempfile::tempdir().expect("a folder");
    if answers_and_runs_apart {
        std::os::unix::fs::symlink(elsewhere.path(), disk.path.join("out")).expect("a link");
    }
    let error = bench.collect(Mode::Fill).expect_err("the disk is full");
    assert!(matches!(error, CollectError::Write { .. }), "{error:?}");
    assert!(error.to_string().contains("No space left"), "{error}");
    let asked = server.calls();
    assert!(
        (20..CASES).contains(&asked),
        "{asked} calls before the disk was full"
    );
    bench.recordings();
    disk.remount("size=4m");
    "run-2".clone_into(&mut bench.run);
    let filled = bench.fill();
    assert_eq!(filled.answers.len(), CASES);
    let again: Vec<_> = server
        .calls_by_state()
        .into_iter()
        .filter(|(_, calls)| *calls > 1)
        .collect();
    assert!(
        again.is_empty(),
        "answers that had arrived were lost: {again:?}"
    );
    assert_eq!(server.calls(), CASES);
    assert_eq!(bench.recordings().len(), CASES);
}

#[test]
fn a_disk_that_fills_up_under_everything_loses_no_answer() {
    fill_a_full_disk(false);
}

#[test]
fn a_disk_that_fills_up_under_the_recordings_loses_no_answer() {
    fill_a_full_disk(true);
}

#[test]
fn a_live_run_on_a_full_disk_loses_no_answer() {
    const CASES: usize = 400;
    let Some(disk) = Disk::new(96) else { return };
    let server = Server::answering();
    let mut bench = Bench::new(&disk.path, &server, CASES);
    let error = bench.collect(Mode::Live).expect_err("the disk is full");
    assert!(error.to_string().contains("No space left"), "{error}");
    assert!(server.calls() < CASES);
    disk.remount("size=4m");
    // A retry of the run goes on where it was.
    assert_eq!(bench.live().answers.len(), CASES);
    assert_eq!(server.calls(), CASES, "nothing was asked twice");
    bench.run = "run-2".to_owned();
    assert_eq!(bench.replay().misses.len(), CASES, "and nothing recorded");
}

#[test]
fn a_full_disk_is_found_out_before_the_first_call() {
    let Some(disk) = Disk::new(16) else { return };
    let server = Server::answering();
    let bench = Bench::new(&disk.path, &server, 3);
    std::fs::write(disk.path.join("other"), vec![1; 12 << 10]).expect("room for this");
    for mode in [Mode::Fill, Mode::Live] {
        let error = bench.collect(mode).expect_err("no room");
        assert!(matches!(error, CollectError::NotKept { .. }), "{error:?}");
    }
    assert_eq!(server.calls(), 0);
}

#[test]
fn a_read_only_disk_replays_and_refuses_to_ask() {
    let Some(disk) = Disk::new(256) else { return };
    let server = Server::answering();
    // A process that wrote to a disk has it open until its end.
    let mut child = start(Mode::Fill, &disk.path, &server, "run-1", 5);
    assert!(child.wait().expect("a child").success());
    let bench = Bench::new(&disk.path, &server, 5);
    let filled = bench.replay();
    disk.remount("ro");
    let larger = Bench::new(&disk.path, &server, 6);
    for mode in [Mode::Fill, Mode::Live] {
        let error = larger.collect(mode).expect_err("nothing can be kept");
        assert!(matches!(error, CollectError::NotKept { .. }), "{error:?}");
        assert!(error.to_string().contains("nothing was asked"), "{error}");
    }
    assert_eq!(server.calls(), 5);
    let replayed = bench.replay();
    assert_eq!(replayed.answers, filled.answers);
    assert_eq!(
        bench.fill().answers,
        filled.answers,
        "nothing is missing, so nothing is written"
    );
    disk.remount("rw");
    let filled = larger.fill();
    assert_eq!((filled.answers.len(), server.calls()), (6, 6));
}
