import { hash } from 'node:crypto';
import type { QueueResource } from '../assembly/assembly.ts';
import { type JsonService, Refused, serviceResponse, startJsonService } from '../base/json-service.ts';
import { isRecord } from '../base/json-values.ts';
import { type Callers, knows, stranger } from '../iam/callers.ts';
import { denialsOf } from '../iam/denials.ts';
import type { Queue, Received, Sending } from './queue.ts';

export interface SqsOptions extends Callers {
  readonly queues: readonly Queue[];
  readonly port?: number | undefined;
  /** If false, every call passes. */
  readonly enforce: boolean;
}

type Input = Readonly<Record<string, unknown>>;

interface Call {
  readonly queue: Queue;
  readonly sender: string;
  readonly input: Input;
  readonly queues: readonly Queue[];
}

/** The operations, each with its permission and implementation. */
const operations: Readonly<Record<string, { action?: string; run: (call: Call) => Promise<object> }>> = {
  SendMessage: { run: sendMessage },
  SendMessageBatch: { action: 'SendMessage', run: sendMessageBatch },
  ReceiveMessage: { run: receiveMessage },
  DeleteMessage: { run: deleteMessage },
  GetQueueAttributes: { run: getQueueAttributes },
  StartMessageMoveTask: { run: startMessageMoveTask },
};

/** Emulates SQS in its JSON protocol. A message is on disk before the response. */
export function startSqs(options: SqsOptions): Promise<JsonService> {
  const { queues, principals, enforce, port } = options;
  const isKnown = knows(options);
  const denial = enforce ? denialsOf(principals) : () => undefined;
  return startJsonService(async ({ operation, caller, body }) => {
    if (!isKnown(caller)) return stranger(caller);
    const { action = operation, run } = operations[operation] ?? {};
    if (!run) {
      const known = Object.keys(operations).join(', ');
      throw new Refused('UnsupportedOperation', `The local stack knows ${known} of SQS`);
    }
    const input = parse(body);
    const queue = queueOf(queues, input);
    const denied = denial(caller, { action: `sqs:${action}`, resource: queue.resource.arn });
    if (denied !== undefined) throw new Refused('AccessDeniedException', denied);
    const role = principals.get(caller)?.name ?? 'operator';
    return serviceResponse(await run({ queue, sender: `AROALOCAL:${role}`, input, queues }));
  }, port);
}

function parse(body: Buffer): Input {
  try {
    const input: unknown = JSON.parse(body.toString());
    if (isRecord(input)) return input;
  } catch {
    // Reported below.
  }
  throw new Refused('SerializationException', 'The body must be a JSON object');
}

/** A queue by its URL, whatever the host in it, or by its ARN as the source of a move. */
function queueOf(queues: readonly Queue[], { QueueUrl, SourceArn }: Input): Queue {
  const name = String(QueueUrl ?? SourceArn)
    .split(/[/:]/)
    .at(-1);
  const found = queues.find(({ resource }) => resource.name === name);
  if (!found) throw new Refused('QueueDoesNotExist', `There is no queue ${String(QueueUrl ?? SourceArn)}`);
  return found;
}

const mostDelaySeconds = 900;
const mostEntries = 10;

/** The text of a valid message, and how it is sent. */
function checked(input: Input, { resource }: Queue): Sending & { readonly body: string } {
  const { MessageBody: body, DelaySeconds: delay, MessageAttributes: attributes } = input;
  if (attributes !== undefined && Object.keys(Object(attributes)).length > 0)
    throw new Refused('UnsupportedOperation', 'The local stack knows no message attributes');
  if (typeof body !== 'string' || body === '')
    throw new Refused('MissingRequiredParameterException', 'A message needs a MessageBody');
  if (Buffer.byteLength(body) > resource.maximumBytes) throw tooLong(resource);
  // Of the control characters, only tab, line feed and carriage return are allowed.
  if (/[^\t\n\r\u0020-\ufffd]/.test(body))
    throw new Refused('InvalidMessageContents', 'The message holds characters that SQS refuses');
  if (resource.fifo) return { body, ...fifoSending(input, body, resource.fifo) };
  if (delay === undefined) return { body };
  if (!Number.isInteger(delay) || Number(delay) < 0 || Number(delay) > mostDelaySeconds) {
    throw invalid(
      `Value ${delay} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.`,
    );
  }
  return { body, delaySeconds: Number(delay) };
}

function fifoSending(
  { MessageGroupId: group, MessageDeduplicationId: id, DelaySeconds: delay }: Input,
  body: string,
  { isContentBased }: NonNullable<QueueResource['fifo']>,
): Sending {
  if (delay !== undefined) throw invalid('A FIFO queue has a delay of its own, and none of single messages');
  if (group === undefined) throw missing('The request must contain the parameter MessageGroupId.');
  if (id === undefined && !isContentBased)
    throw invalid(
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId given',
    );
  const deduplicationId = id ?? hash('sha256', body);
  for (const [name, value] of Object.entries({
    MessageGroupId: group,
    MessageDeduplicationId: deduplicationId,
  }))
    if (typeof value !== 'string' || !/^[!-~]{1,128}$/.test(value))
      throw invalid(`${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`);
  return { fifo: { group: String(group), deduplicationId: String(deduplicationId) } };
}

const missing = (message: string) => new Refused('MissingParameter', message);
const invalid = (message: string) => new Refused('InvalidParameterValue', message);
const tooLong = ({ maximumBytes }: QueueResource) =>
  invalid(`One or more parameters are invalid. Reason: Message must be shorter than ${maximumBytes} bytes.`);

async function sendMessage({ queue, sender, input }: Call): Promise<object> {
  const { body, ...sending } = checked(input, queue);
  const { id, fifo } = await queue.send(body, sender, sending);
  const place = fifo && { SequenceNumber: fifo.sequenceNumber };
  return { MessageId: id, MD5OfMessageBody: hash('md5', body), ...place };
}

/** Sends a batch. Each entry succeeds or fails separately. */
async function sendMessageBatch({ queue, sender, input }: Call): Promise<object> {
  const entries = Array.isArray(input.Entries) ? input.Entries.filter(isRecord) : [];
  if (entries.length === 0) throw new Refused('EmptyBatchRequest', 'There should be at least one entry');
  if (entries.length > mostEntries)
    throw new Refused(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${mostEntries}`,
    );
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    throw new Refused('BatchEntryIdsNotDistinct', 'Two entries have the same Id');
  const bytes = entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(String(MessageBody)), 0);
  if (bytes > queue.resource.maximumBytes)
    throw new Refused(
      'BatchRequestTooLong',
      `A batch must be shorter than ${queue.resource.maximumBytes} bytes`,
    );
  const Successful: object[] = [];
  const Failed: object[] = [];
  await Promise.all(
    entries.map(async (entry) => {
      try {
        Successful.push({
          Id: entry.Id,
          ...(await sendMessage({ queue, sender, input: entry, queues: [] })),
        });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        Failed.push({ Id: entry.Id, Code: error.type, Message: error.message, SenderFault: true });
      }
    }),
  );
  return { Successful, Failed };
}

/** Receives messages, for operators who inspect dead letters. It never waits. */
async function receiveMessage({ queue, input }: Call): Promise<object> {
  const most = Number(input.MaxNumberOfMessages ?? 1);
  if (!(most >= 1 && most <= mostEntries)) throw invalid('MaxNumberOfMessages must be from 1 to 10');
  const seconds = input.VisibilityTimeout === undefined ? undefined : Number(input.VisibilityTimeout);
  return {
    Messages: queue.receive(most, seconds).map((message) => ({
      MessageId: message.id,
      ReceiptHandle: message.receipt,
      MD5OfBody: hash('md5', message.body),
      Body: message.body,
      Attributes: attributesOf(message),
    })),
  };
}

async function deleteMessage({ queue, input }: Call): Promise<object> {
  await queue.remove(String(input.ReceiptHandle));
  return {};
}

async function getQueueAttributes({ queue }: Call): Promise<object> {
  const { resource } = queue;
  const { available, inFlight, delayed } = queue.counts();
  return {
    Attributes: {
      QueueArn: resource.arn,
      ApproximateNumberOfMessages: String(available),
      ApproximateNumberOfMessagesNotVisible: String(inFlight),
      ApproximateNumberOfMessagesDelayed: String(delayed),
      // On AWS, only a CloudWatch metric has this.
      ApproximateAgeOfOldestMessage: String(Math.floor(queue.oldestMs / 1000)),
      VisibilityTimeout: String(resource.visibilitySeconds),
      MessageRetentionPeriod: String(resource.retentionSeconds),
      MaximumMessageSize: String(resource.maximumBytes),
      DelaySeconds: String(resource.delaySeconds),
      ...(resource.fifo && {
        FifoQueue: 'true',
        ContentBasedDeduplication: String(resource.fifo.isContentBased),
        DeduplicationScope: resource.fifo.isPerGroup ? 'messageGroup' : 'queue',
      }),
      ...(resource.deadLetters && {
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: resource.deadLetters.queueArn,
          maxReceiveCount: resource.deadLetters.maxReceiveCount,
        }),
      }),
    },
  };
}

/** Moves dead letters back to their source queue. */
async function startMessageMoveTask({ queue, queues }: Call): Promise<object> {
  const { arn } = queue.resource;
  const sources = queues.filter(({ resource }) => resource.deadLetters?.queueArn === arn);
  const [source] = sources;
  if (!source || sources.length > 1)
    throw new Refused('UnsupportedOperation', `${arn} isn't the dead-letter queue of exactly one queue`);
  await queue.moveTo(source);
  return { TaskHandle: 'local' };
}

/** Attributes of a message as receivers and functions get them. */
export function attributesOf(message: Received): Record<string, string> {
  const { receives, sent, sender, firstReceived, fifo } = message;
  return {
    ApproximateReceiveCount: String(receives),
    SentTimestamp: String(sent),
    SenderId: sender,
    ApproximateFirstReceiveTimestamp: String(firstReceived),
    ...(fifo && {
      MessageGroupId: fifo.group,
      MessageDeduplicationId: fifo.deduplicationId,
      SequenceNumber: fifo.sequenceNumber,
    }),
  };
}
