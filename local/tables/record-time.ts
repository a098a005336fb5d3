/** Seconds for which DynamoDB keeps a stream record. */
export const keptSeconds = 24 * 60 * 60;

/**
 * The last possible time of a change by its stream record's date, in epoch seconds. DynamoDB dates records by the
 * second, DynamoDB Local by the minute.
 */
export const lastSecondOf = (dated: number) => (dated % 60 === 0 ? dated + 59 : dated);
