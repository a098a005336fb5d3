/** Bytes that a text takes in a Lambda function's response, whose body is JSON inside JSON. */
export const answeredBytes = (text: string): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(text))) - quotes;

/** What the quotes around the text and the JSON take: an empty text has nothing else. */
const quotes = JSON.stringify(JSON.stringify('')).length;

/** Bytes that a text takes as part of an address. */
export const encodedBytes = (text: string): number => encodeURIComponent(text.toWellFormed()).length;
