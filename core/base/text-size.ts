/** A text's size in bytes in a Lambda function's response, whose body is JSON inside JSON. */
export const answeredBytes = (text: string): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(text))) - quotes;

/** The size of the quotes around the text and the JSON. */
const quotes = JSON.stringify(JSON.stringify('')).length;

/** A text's size in bytes in an address. */
export const encodedBytes = (text: string): number => encodeURIComponent(text.toWellFormed()).length;
