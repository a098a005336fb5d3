import type { Rule } from './rule.ts';

/** Example rules in the documentation. */
export const exampleRules: readonly Rule[] = [
  {
    name: 'dach',
    countries: ['DE', 'AT', 'CH'],
    platforms: ['web'],
    link: 'https://shop.example.com/de',
  },
  {
    name: 'pages',
    countries: ['US'],
    platforms: ['ios'],
    split: [
      { name: 'a', percent: 50, link: 'https://apps.apple.com/app/id123456789?ppid=a1' },
      { name: 'b', percent: 50, link: 'https://apps.apple.com/app/id123456789' },
    ],
  },
];
