/** Writes a second that one partition key of a table takes for sure. */
const clicksOfOneKey = 700;

/**
 * In how many groups a link's visitors are for so many visits a second: one, or a power of two of at least ten for each
 * thousand. Groups fall on the table's partitions by chance, so there must be several for each partition, which takes
 * a thousand writes a second: with 8 to 16, and a table warmed for just these visits, some 83 of 100 clicks pass at once
 * in the simulation (`npm run bench -- famous`), and the rest waits in the queue for two minutes.
 */
export const groupsFor = (visits: number): number =>
  visits <= clicksOfOneKey ? 1 : 2 ** Math.ceil(Math.log2(visits / 100));
