import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Half of a command's time is compiling its modules. Node caches TypeScript, too, but for an entry file it always
// loads the compiler, so this one is JavaScript. The cache is not in the system's temporary folder, where somebody
// else could put code that runs here.
enableCompileCache(path.join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'));
await import('./admin.ts');
