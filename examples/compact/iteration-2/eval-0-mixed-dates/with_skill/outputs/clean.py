import csv
from datetime import datetime

FORMATS = ['%Y-%m-%d', '%d/%m/%Y', '%d %b %Y']


def iso(value):
    for form in FORMATS:
        try:
            return datetime.strptime(value.strip(), form).date().isoformat()
        except ValueError:
            continue
    return ''


with open('payments.csv') as source, open('cleaned.csv', 'w', newline='') as target:
    rows = list(csv.DictReader(source))
    writer = csv.DictWriter(target, rows[0].keys())
    writer.writeheader()
    for row in rows:
        row['date'] = iso(row['date'])
        writer.writerow(row)
