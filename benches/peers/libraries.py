"""Times other libraries on the inputs of decbench-core/benches/statistics.rs.

Prints one line per benchmark: its name and the seconds of the fastest of a few runs. They are seconds of the
processor, which other work on the machine does not stretch. Each peer gets the fastest of the ways to
call it, and runs in one thread.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import time

import numpy as np
import scipy.stats
import statsmodels.api as sm
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

CASES = 10_000
CANDIDATES = 10
RESAMPLES = 2_000
rng = np.random.default_rng(1)


def fastest(run, times=3):
    seconds = []
    for _ in range(times):
        begin = time.process_time()
        run()
        seconds.append(time.process_time() - begin)
    return min(seconds)


def paired(candidates):
    """scipy.stats.bootstrap of each mean, in the batch size that is fastest here."""

    def run(batch):
        for differences in candidates:
            scipy.stats.bootstrap(
                (differences,),
                np.mean,
                n_resamples=RESAMPLES,
                batch=batch,
                vectorized=True,
                method="percentile",
                rng=rng,
            )

    return min(fastest(lambda batch=batch: run(batch), 2) for batch in (None, 50))


def ece_bootstrap(confidence, correct):
    bins = np.digitize(confidence, np.linspace(0, 1, 11)[1:-1])
    gap = confidence - correct
    ece = np.abs(np.bincount(bins, gap, 10)).sum() / CASES

    def run():
        values = np.empty(RESAMPLES)
        for resample in range(RESAMPLES):
            index = rng.integers(0, CASES, CASES)
            values[resample] = np.abs(np.bincount(bins[index], gap[index], 10)).sum() / CASES
        low, high = np.quantile(values, (0.025, 0.975))
        return max(0.0, 2 * ece - high), 2 * ece - low

    return fastest(run)


def bca():
    values = rng.random(2_000) ** 3

    def run(batch):
        scipy.stats.bootstrap(
            (values,), np.mean, n_resamples=RESAMPLES, batch=batch, vectorized=True, method="BCa", rng=rng
        )

    return min(fastest(lambda batch=batch: run(batch)) for batch in (None, 50))


def main():
    few = [rng.choice([-1.0, 0.0, 1.0], CASES, p=[0.05, 0.9, 0.05]) for _ in range(CANDIDATES)]
    tenths = [rng.integers(-10, 11, CASES) / 10 for _ in range(CANDIDATES)]
    continuous = [rng.random(CASES) - 0.49 for _ in range(CANDIDATES)]
    confidence = 0.4 + 0.6 * rng.random(CASES)
    rounded = confidence.round(2)
    p = rng.random(50) ** 4
    n = rng.integers(20, 1_020, 1_000_000)
    k = (rng.random(1_000_000) * (n + 1)).astype(int)
    values = (rng.random(CASES) < 0.9).astype(float)
    clusters = np.arange(CASES) // 4

    def clustered():
        fit = sm.OLS(values, np.ones(CASES)).fit(
            cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True
        )
        return fit.conf_int()

    benchmarks = {
        "paired_bootstrap_three_values": lambda: paired(few),
        "paired_bootstrap_tenths": lambda: paired(tenths),
        "paired_bootstrap_continuous": lambda: paired(continuous),
        "paired_bootstrap_one_by_one": lambda: paired(continuous),
        "ece_bootstrap_continuous": lambda: ece_bootstrap(
            confidence, rng.random(CASES) < confidence
        ),
        "ece_bootstrap_two_decimals": lambda: ece_bootstrap(rounded, rng.random(CASES) < rounded),
        "bca_of_a_mean": bca,
        "holm_of_50": lambda: fastest(lambda: multipletests(p, method="holm"), 101),
        "wilson_of_a_million_rows": lambda: fastest(
            lambda: proportion_confint(k, n, method="wilson"), 5
        ),
        "clustered_mean": lambda: fastest(clustered, 11),
    }
    for name, seconds in benchmarks.items():
        print(name, seconds(), flush=True)


if __name__ == "__main__":
    main()
