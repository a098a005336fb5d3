/** The columns of Firebase's export, in Google's order. */
export const firebaseColumns = `
  short_link link apn afl amv ibi ifl ius ipfl ipbi isi imv efr ofl st sd si
  utm_source utm_medium utm_campaign utm_term utm_content at ct mt pt archived name creation_timestamp
`
  .trim()
  .split(/\s+/);

export type FirebaseRow = Partial<Record<string, string>>;

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A file in the form of Firebase's export. */
export const firebaseExport = (rows: readonly FirebaseRow[], columns = firebaseColumns): string =>
  [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]
    .map((cells) => `${cells.map(quoted).join(',')}\r\n`)
    .join('');

const every = (step: number, i: number, value: string) => (i % step === 0 ? value : '');

/** A made-up link; settings of real links take turns. */
export const firebaseRow = (i: number, host: string): FirebaseRow => ({
  short_link: `https://${host}/Code${i.toString(36)}X`,
  link: `https://shop.example.com/item/${i}?ref=${i % 7}`,
  apn: every(2, i, 'com.example.shop'),
  afl: every(10, i, 'https://shop.example.com/android'),
  amv: every(4, i, '120'),
  ibi: every(2, i, 'com.example.shop.ios'),
  ifl: every(15, i, 'https://shop.example.com/ios'),
  isi: every(3, i, '1234567890'),
  imv: every(6, i, '14.2'),
  ofl: every(5, i, 'https://shop.example.com/desktop'),
  st: every(8, i, `Item "${i}", new`),
  sd: every(8, i, 'Two\nlines'),
  si: every(16, i, 'https://shop.example.com/i.png'),
  utm_source: every(9, i, 'newsletter'),
  utm_campaign: every(9, i, 'spring & summer'),
  archived: i % 50 === 0 ? 'true' : 'false',
  name: every(4, i, `Link ${i}`),
  creation_timestamp: new Date(Date.UTC(2019, i % 40, 1 + (i % 28))).toISOString(),
});
