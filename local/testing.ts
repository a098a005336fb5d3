/** Parts of the stack for tests and benchmarks: an engine, its expressions, injected faults and stream readers. */

export { refusal, serviceResponse } from './base/json-service.ts';
export { startEngine } from './engine/engine.ts';
export { engineClient } from './engine/engine-client.ts';
export { startEngineProxy } from './engine/engine-proxy.ts';
export { expressionsOf } from './engine/sqlite/expressions/expressions.ts';
export { startEventSourceMapping } from './event-source-mapping/mapping.ts';
export { startTableGateway } from './table-gateway/gateway.ts';
export { ensureTables } from './tables/tables.ts';
export { startFaultyEngine } from './testing/faulty-engine.ts';
export { readParquetRows } from './testing/parquet-rows.ts';
