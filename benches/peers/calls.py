"""The same calls by a plain asyncio loop over the vendor's own client; figures as one JSON document."""

import asyncio
import json
import os
import resource
import time

from typesafe_sdk import AsyncTypeSafeClient, Choice


async def main():
    url, in_flight, calls = os.environ["DECBENCH_BENCH_TOLD"].split("|")
    in_flight, calls = int(in_flight), int(calls)
    client = AsyncTypeSafeClient(
        base_url=url,
        # The local service knows our client by its name.
        headers={"User-Agent": "decbench/peer"},
    )
    question = Choice(
        instructions="Which team?",
        criteria={"billing": None, "support": None, "sales": None},
    )
    slots = asyncio.Semaphore(in_flight)
    failed = 0

    async def one(number):
        nonlocal failed
        async with slots:
            try:
                await client.system_one(
                    model="jev-1.13.0",
                    state=f"caller {number} says something",
                    questions={"decision": question},
                )
            except Exception:
                failed += 1

    begun = time.perf_counter()
    await asyncio.gather(*(one(number) for number in range(calls)))
    seconds = time.perf_counter() - begun
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "seconds": seconds,
                "cpu": used.ru_utime + used.ru_stime,
                "peak_mb": used.ru_maxrss * 1.024e-3,
                "failed": failed,
            }
        )
    )


asyncio.run(main())
