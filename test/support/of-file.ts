interface Stoppable {
  stop?(): unknown;
}

/** Values to stop, in order of creation; the last one stops first. */
const made: Stoppable[] = [];
const endAll = async () => {
  try {
    await made.pop()?.stop?.();
  } finally {
    if (made.length > 0) await endAll();
  }
};
let willEnd = false;

/** A value that exists from before a file's tests until after them. It may depend on earlier ones. */
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

/** A value that is made again before each test, and stopped after it. */
export const ofEachTest = <Value extends object & Stoppable>(make: () => Value | Promise<Value>): Value => {
  let value: Value | undefined;
  beforeEach(async () => {
    value = await make();
  });
  afterEach(() => value?.stop?.());
  return standIn(() => value);
};

/** A proxy for a value that a hook makes later. */
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
      // A proxy's empty target can't have fixed properties.
      return found && { ...found, configurable: true };
    },
  };
  // Every property is read from the value itself.
  return new Proxy({} as Value, handler);
};
