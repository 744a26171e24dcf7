#!/bin/sh
# Makes calls.csv with the sqlite3 module of Python 3.11 and its csv writer, as a table is commonly exported.
cd "$(dirname "$0")" && PYTHONPATH=.. python3 - <<'END'
import csv, sqlite3
from calls import CALLS, decide
table = sqlite3.connect(":memory:")
table.execute("create table calls (number, text, team, routed_to, week)")
table.executemany("insert into calls values (?, ?, ?, ?, ?)",
                  [(name, text, team, decide(text), 40 + i // 3) for i, (name, text, team) in enumerate(CALLS)])
rows = table.execute("select * from calls order by number")
with open("calls.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow([column[0] for column in rows.description])
    writer.writerows(rows)
END
