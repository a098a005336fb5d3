import { assemble } from '../dev/app.ts';
import { measureCapacity } from './capacity.ts';

// Prints the content of capacity-budget.json for `npm run generate`.
console.log(JSON.stringify(await measureCapacity(await assemble()), null, 2));
