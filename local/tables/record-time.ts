/** How long DynamoDB keeps a stream record. */
export const keptSeconds = 24 * 60 * 60;

/**
 * The last second in which the change of a stream record with this date can have been made, in epoch seconds. DynamoDB
 * dates its records by the second, DynamoDB Local by the minute.
 */
export const lastSecondOf = (dated: number) => (dated % 60 === 0 ? dated + 59 : dated);
