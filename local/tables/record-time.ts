/**
 * The last second that a stream record with this date can be of. DynamoDB dates its records to the
 * second, DynamoDB Local by the minute.
 */
export const lastSecondOf = (dated: number) => (dated % 60 === 0 ? dated + 59 : dated);
