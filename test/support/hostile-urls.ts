/** Addresses that no field may take: by scheme, by shape, by host. */
export const hostileUrls: readonly string[] = [
  ...`
    example.com www.example.com/path /relative //example.com/path ?query #fragment http:// https://
    http:///path https:example.com https:/example.com https:///example.com javascript:alert(1)
    JaVaScRiPt:alert(1) javascript://example.com/%0aalert(1) data:text/html,<script>alert(1)</script>
    vbscript:msgbox(1) file:///etc/passwd blob:https://example.com/0 about:blank
    view-source:https://example.com ftp://example.com/ ws://example.com/ mailto:a@example.com tel:+123
    intent://example.com#Intent;scheme=https;end market://details?id=com.example
    itms-apps://apps.apple.com/app/id1 myapp://open https://user@example.com/
    https://user:secret@example.com/ https://example.com@evil.example/
    https://:@example.com:80@evil.example/ https://example.com:99999/ https://example.com:port/
    https://[::1 https://%zz/ http://localhost/ http://localhost./ http://LOCALHOST:8080/
    http://a.localhost/ http://printer/ http://printer.local/ https://foo.test/ https://foo.invalid/
    https://foo.alt/ https://foo.i2p/ https://web.service.consul/ https://kubernetes.default.svc/
    https://10.in-addr.arpa/ https://0.ip6.arpa/ http://[2001:2::1]/ http://[2001:10::1]/
    http://[5f00::1]/ http://metadata.google.internal/computeMetadata/v1/ http://127.0.0.1/
    http://127.1/ http://127.255.255.254/ http://2130706433/ http://0x7f000001/ http://0177.0.0.1/
    http://0/ http://①②⑦.⓪.⓪.①/ http://127。0。0。1/ http://127.0.0.1./ http://0.0.0.0/ http://10.1.2.3/
    http://172.16.0.1/ http://172.31.255.255/ http://192.168.1.1/
    http://169.254.169.254/latest/meta-data/ http://100.64.0.1/ http://198.18.0.1/ http://224.0.0.1/
    http://255.255.255.255/ http://[::1]/ http://[::]/ http://[0:0:0:0:0:0:0:1]/
    http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::ffff:10.0.0.1]/ http://[::127.0.0.1]/
    http://[fe80::1]/ http://[fd00::1]/ http://[fec0::1]/ http://[ff02::1]/ http://[64:ff9b::7f00:1]/
    http://[2002:7f00:1::]/ http://[fc00::1]/ http://[::ffff:9.9.9.9]/ http://[::ffff:909:909]/
    http://[0:0:0:0:0:ffff:8.8.8.8]/
  `
    .trim()
    .split(/\s+/),
  '',
  ' ',
  'https:\\\\example.com',
  'https://\\example.com',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'https://example.com/\r\nSet-Cookie: a=b',
  'https://exam\tple.com/',
  'https://example.com/\u0000',
  '\u0001https://example.com/',
  'https://example.com/ ',
  'https://exa mple.com/',
  `https://example.com/${'x'.repeat(2048)}`,
  'https://example.com/\ud800',
];

/** Addresses that look odd and are not. */
export const harmlessUrls: readonly string[] = [
  'https://example.com',
  'HTTPS://EXAMPLE.COM/Path',
  'http://example.com:8080/a?b=c&d=%20e#f',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://例え.jp/ü?ä=ö',
  'https://xn--r8jz45g.jp/',
  'https://example.com/a b',
  'https://example.com/?next=http://127.0.0.1/',
  'https://localhost.example.com/',
  'https://172.32.0.1/',
  `https://example.com/${'x'.repeat(2028)}`,
];
