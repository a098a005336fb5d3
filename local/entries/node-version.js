const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/* In earlier versions SQLite needs a flag, and the engine gets slower with every stream record. */
if (major < 22 || (major === 22 && minor < 13)) {
  throw new Error(`local-cdk-stack needs Node 22.13 or newer; this is ${process.versions.node}`);
}
