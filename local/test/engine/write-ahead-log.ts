/** How far the log of a SQLite database (WAL) is written. */
export interface LogEnd {
  /** Identifies the log: a restarted one has another. */
  readonly salt: string;
  /** In bytes. */
  readonly offset: number;
}

const headerBytes = 32;
const frameHeaderBytes = 24;

/** The end of the last frame that belongs to the log, and not to a former one in the same file. */
export function logEnd(log: Buffer): LogEnd {
  if (log.length < headerBytes) return { salt: '', offset: 0 };
  const pageBytes = log.readUInt32BE(8);
  const salt = log.toString('hex', 16, 24);
  let offset = headerBytes;
  const isFrame = () => log.length > offset && log.toString('hex', offset + 8, offset + 16) === salt;
  while (isFrame()) offset += frameHeaderBytes + pageBytes;
  return { salt, offset };
}
