import type { DeliveryStream } from '../assembly/assembly.ts';
import {
  type JsonService,
  Refused,
  type ServiceCall,
  type ServiceResponse,
  serviceResponse,
  startJsonService,
} from '../base/json-service.ts';
import { isRecord } from '../base/json-values.ts';
import { type Denials, denialsOf } from '../iam/denials.ts';
import type { Principal } from '../iam/policy.ts';
import { jsonDocuments } from './json-documents.ts';
import { writeParquet } from './parquet-file.ts';

export interface FirehoseOptions {
  readonly streams: readonly DeliveryStream[];
  /** Principals by access key id. No other caller is allowed. */
  readonly principals: ReadonlyMap<string, Principal>;
  /** Folder for files, by prefix; without it, rows are dropped. */
  readonly folder?: string | undefined;
  /** If false, every principal may put into every stream. */
  readonly enforce: boolean;
}

const most = { records: 500, recordBytes: 1000 * 1024, bytes: 4 * 1024 * 1024 };
const target = 'Firehose_20150804.PutRecordBatch';

/**
 * Emulates Firehose for a stack's functions: accepts PutRecordBatch and responds once the rows are in their own file.
 * AWS buffers rows for minutes before it writes a file.
 */
export function startFirehose(options: FirehoseOptions): Promise<JsonService> {
  const denial = options.enforce ? denialsOf(options.principals) : () => undefined;
  return startJsonService((call) => put(options, call, denial));
}

async function put(options: FirehoseOptions, call: ServiceCall, denial: Denials): Promise<ServiceResponse> {
  if (!options.principals.has(call.caller)) {
    throw new Refused('UnrecognizedClientException', 'Only functions of this stack may call Firehose here');
  }
  if (call.headers['x-amz-target'] !== target) {
    throw new Refused('UnknownOperationException', `The local stack knows ${target} alone`);
  }
  const input: unknown = JSON.parse(call.body.toString());
  const { DeliveryStreamName: name, Records: records } = isRecord(input) ? input : {};
  const stream = options.streams.find((one) => one.name === name);
  if (!stream) throw new Refused('ResourceNotFoundException', `There is no delivery stream ${String(name)}`);
  const denied = denial(call.caller, { action: 'firehose:PutRecordBatch', resource: stream.arn });
  if (denied !== undefined) throw new Refused('AccessDeniedException', denied);
  const rows = rowsOf(records);
  const now = new Date();
  if (options.folder !== undefined) await writeParquet({ folder: options.folder, stream, rows, now });
  return success(Array.isArray(records) ? records.length : 0);
}

/** The JSON documents of all records, within AWS's size limits. */
function rowsOf(records: unknown): Record<string, unknown>[] {
  if (!Array.isArray(records) || records.length === 0 || records.length > most.records) {
    throw new Refused('ValidationException', `Records must be a list of 1 to ${most.records}`);
  }
  const data = records.map((record: unknown) => {
    if (!isRecord(record) || typeof record.Data !== 'string')
      throw new Refused('SerializationException', 'A record must have Data in base 64');
    return Buffer.from(record.Data, 'base64');
  });
  if (data.some(({ length }) => length === 0 || length > most.recordBytes)) {
    throw new Refused('ValidationException', `A record must have 1 to ${most.recordBytes} bytes`);
  }
  if (data.reduce((sum, { length }) => sum + length, 0) > most.bytes) {
    throw new Refused('InvalidArgumentException', `A call must have at most ${most.bytes} bytes`);
  }
  try {
    return data.flatMap((one) => jsonDocuments(one.toString()));
  } catch (error) {
    // AWS accepts unreadable documents and writes them under the error prefix.
    throw new Refused(
      'InvalidArgumentException',
      `A record is no sequence of JSON objects: ${String(error)}`,
    );
  }
}

function success(records: number): ServiceResponse {
  const RequestResponses = Array.from({ length: records }, (_, i) => ({ RecordId: `local-${i}` }));
  return serviceResponse({ FailedPutCount: 0, Encrypted: true, RequestResponses });
}
