/** The groups of operations, in the order of the reference page. */
export const tags = [
  { name: 'Links', description: 'Short URLs and where they lead.' },
  { name: 'Mobile apps', description: 'Apps that you save once and reference from links.' },
  { name: 'Analytics', description: 'Clicks and app opens, over time and by group.' },
  { name: 'Usage', description: 'How many requests a key has left in the current hour.' },
] as const;

export type Tag = (typeof tags)[number]['name'];
