const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `09/Apr/2015:12:34:56 +0000`, as request contexts spell it. */
export function formatRequestTime(epoch: number): string {
  const second = Math.floor(epoch / 1000);
  if (last.second !== second) last = { second, text: inWords(epoch) };
  return last.text;
}

/** The last second's text: many requests share a second. */
let last = { second: Number.NaN, text: '' };

function inWords(epoch: number): string {
  const iso = new Date(epoch).toISOString();
  const month = months[Number(iso.slice(5, 7)) - 1];
  return `${iso.slice(8, 10)}/${month}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}
