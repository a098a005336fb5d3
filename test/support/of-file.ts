interface Stoppable {
  stop?(): unknown;
}

/** What stands for it, by name of the file's hooks: what was made last ends first. */
const made: Stoppable[] = [];
const endAll = async () => {
  try {
    await made.pop()?.stop?.();
  } finally {
    if (made.length > 0) await endAll();
  }
};
let willEnd = false;

/** What a file has from before its tests until after them. Each may be made of those before it. */
export const ofFile = <Value extends object>(make: () => Value | Promise<Value>): Value => {
  let value: Value | undefined;
  beforeAll(async () => {
    value = await make();
    made.push(value);
  });
  if (!willEnd) afterAll(endAll);
  willEnd = true;
  return standIn(() => value);
};

/** The same, made anew before each test. */
export const ofEachTest = <Value extends object>(make: () => Value | Promise<Value>): Value => {
  let value: Value | undefined;
  beforeEach(async () => {
    value = await make();
  });
  return standIn(() => value);
};

/** Stands for what a hook is about to make. */
const standIn = <Value extends object>(find: () => Value | undefined): Value => {
  const valueFor = (name: PropertyKey): Value => {
    const value = find();
    if (!value) throw new Error(`${String(name)} is read before the tests begin`);
    return value;
  };
  const handler: ProxyHandler<Value> = {
    get: (_, name) => Reflect.get(valueFor(name), name),
    set: (_, name, to) => Reflect.set(valueFor(name), name, to),
    has: (_, name) => Reflect.has(valueFor(name), name),
    ownKeys: () => Reflect.ownKeys(valueFor('all')),
    getOwnPropertyDescriptor: (_, name) => {
      const found = Reflect.getOwnPropertyDescriptor(valueFor(name), name);
      // A proxy may not say of its own, empty target that it has a fixed property.
      return found && { ...found, configurable: true };
    },
  };
  // Every property is read of the value itself.
  return new Proxy({} as Value, handler);
};
