/** What the models assume, and from where. Without a source it is ours. */
export const assumptions: readonly (readonly [what: string, source?: string])[] = [
  [
    'A partition of the table gives 1,000 writes and 3,000 reads a second, to one key or to all of its keys together; beyond that it refuses.',
    'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html',
  ],
  [
    'A new on-demand table takes 4,000 writes and 12,000 reads a second at once: four partitions.',
    'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/pre-warming-on-demand-capacity-mode.html',
  ],
  [
    'A table with warmThroughput has a partition for each thousand writes a second, and keys fall on them by chance.',
  ],
  [
    'A partition without room is split between its keys, and within a key between its items; partitions are never merged.',
    'https://aws.amazon.com/blogs/database/part-3-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/',
  ],
  ['AWS says no time for it: here a partition is split after ten minutes without room.'],
  [
    'Lambda gives a function 1,000 more environments, or 10,000 more requests a second, every 10 seconds, refilled continuously; ten requests a second for each concurrent execution of the account. Beyond that it answers 429.',
    'https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html',
  ],
  [
    'An environment answers one request at a time and starts in 350 ms (on average). Any idle one gets the next request.',
  ],
  [
    'The table reads in 4 ms and writes in 7, SQS takes a message in 12, a visit needs 5 of its own (on average, with a long tail).',
  ],
  [
    'SQS delivers at least once, in no order.',
    'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/standard-queues.html',
  ],
  [
    'One message in 1,000 comes again after it was deleted; one call in 10,000 of its senders gets no answer.',
  ],
  [
    'CloudFront passes every request on, once, and every answer back, 429 included.',
    'https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html',
  ],
  [
    'Visitors of the busy page come again after 2 to 4 s, as it does by itself; those who get 429 leave. One in ten visits is of somebody who came before; two in three come with a phone, for which the link has a saved app.',
  ],
  [
    'As on an evening: half of the partitions that warm throughput promises; a hundredth of all visits from one carrier, whose address the firewall refuses above visitsPerAddress; half of those who get 429 come again after 1 to 5 s; after the peak visits halve each minute, for five.',
  ],
  [
    "Not played: the account's other functions, which share its quota; the reader that tells of clicks; connections that fail; room that a partition has saved up. Dollars leave out logs, warm throughput's one-time charge, keeping visitors, and but for the evening the firewall.",
  ],
  [
    'Prepared: groups by link prepare, warmThroughput, and provisioned concurrency of a tenth of the visits a second, paid for an hour. The quota of concurrent executions is what preflight asks for, where nothing else is said.',
  ],
];
