type Value = Readonly<Record<string, unknown>>;

/** The size of an item in bytes as DynamoDB counts it: names and values, numbers at two digits a byte. */
export const itemSize = (json: string): number => sizeOf(JSON.parse(json));

const sizeOf = (item: Value): number =>
  Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value as Value),
    0,
  );

function valueSize(attribute: Value): number {
  const [[type, held] = ['', undefined]] = Object.entries(attribute);
  if (type === 'S') return Buffer.byteLength(held as string);
  if (type === 'N') return numberSize(held as string);
  if (type === 'B') return Buffer.byteLength(held as string, 'base64');
  if (type === 'BOOL' || type === 'NULL') return 1;
  if (type === 'M') return 3 + sizeOf(held as Value) + Object.keys(held as Value).length;
  const all = held as readonly unknown[];
  if (type === 'L') return all.reduce<number>((sum, one) => sum + valueSize(one as Value) + 1, 3);
  return all.reduce<number>((sum, one) => sum + valueSize({ [type.charAt(0)]: one }), 0);
}

function numberSize(value: string): number {
  const digits = value
    .replace(/[eE].*$/, '')
    .replace(/[-+.]/g, '')
    .replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + (value.startsWith('-') ? 2 : 1);
}
