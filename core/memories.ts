import { newRoomMemory, type RoomMemory } from './links/link-room.ts';
import type { VisitorReads } from './reads/visitor-reads.ts';

/** What stores know from one request to the next. */
export interface Memories {
  readonly rooms: RoomMemory;
  /** Of visitors, and of what operators took down. */
  readonly reads: VisitorReads;
}

export const memoriesOf = (reads: VisitorReads): Memories => ({ rooms: newRoomMemory(), reads });
