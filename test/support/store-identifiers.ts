/** Inputs that people mistake for an identifier. */
export const noIdentifiers = [
  'https://play.google.com/store/apps/details?id=com.example.app',
  'market://details',
  'play.google.com/com.example.app',
  'my app',
  'com.example.app ',
  '\u00a0com.example.app',
  'com.example.app\n',
  'com.\u0000example',
  'com.example.app?hl=de',
  'com.example.app#top',
  'me@example.com',
];

/** The message that refuses them. */
export const saysWhatItMustBe =
  /must be an identifier such as com\.example\.app.*goes into the store fallback/;
