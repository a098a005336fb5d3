/** Writes a second that one partition key surely takes. */
const clicksOfOneKey = 700;

/**
 * The number of groups for a link's visits a second: one, or a power of two with at least ten for each thousand. Groups
 * fall on partitions at random, so each partition, which accepts a thousand writes a second, needs several: with 8 to 16,
 * and a table warmed for just these visits, 83 % of clicks are written at once in a simulation
 * (docs/operate.md), and the rest waits in the queue for two minutes.
 */
export const groupsFor = (visits: number): number =>
  visits <= clicksOfOneKey ? 1 : 2 ** Math.ceil(Math.log2(visits / 100));
