/** What the description of the API says of rules, in requests and responses. */
export const aboutRules =
  'Checked in order: the first rule whose conditions all hold sends the visitor to its `link`, before the stores, `desktop_fallback` and `interstitial` are looked at.';
