import fc from 'fast-check';

/** Any web address, like fast-check's `webUrl`, which takes a second to prepare. */
export const anyAddress: fc.Arbitrary<string> = fc.stringMatching(
  /^https?:\/\/([a-z0-9]{1,9}\.){1,3}[a-z]{2,6}(\/([\w.~!$&'()*+,;=:@-]|%[0-9A-F]{2}){0,9}){0,3}([?#]([\w.~!$&'()*+,;=:@/?-]|%[0-9A-F]{2}){0,9}){0,2}$/,
);
