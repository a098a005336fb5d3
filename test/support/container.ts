/** Loads a module as a container of a function does: anew, with the environment that it has then. */
export const inContainer = <Module>(
  environment: Readonly<Record<string, string>>,
  load: () => Module,
): Module => {
  Object.assign(process.env, environment);
  const loaded: Module[] = [];
  jest.isolateModules(() => {
    loaded.push(load());
  });
  const [module] = loaded;
  if (!module) throw new Error('Nothing was loaded');
  return module;
};
