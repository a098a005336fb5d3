/* What Node 20 lacks of newer JavaScript that the packages use. Bundles include it by `sideEffects` in package.json. */

Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
};
URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
Promise.withResolvers ??= <Value>() => {
  const made: Partial<PromiseWithResolvers<Value>> = {};
  const promise = new Promise<Value>((resolve, reject) => Object.assign(made, { resolve, reject }));
  // The promise has called its function.
  return { ...made, promise } as PromiseWithResolvers<Value>;
};
