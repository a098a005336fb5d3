/** Browsers by their user agents. The order matters: most also name Chrome or Safari, and in-app browsers name their engine. */
const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ['threads', /\bBarcelona\b|\bMetaIAB Threads\b/],
  ['instagram', /\bInstagram\b/],
  ['messenger', /\bMessenger(Lite)?(ForiOS)?\b|Orca-Android/],
  ['facebook', /\bFB(AN|AV|_IAB|IOS)\b|\bMetaIAB\b/],
  ['tiktok', /\b(TikTok|musical_ly|BytedanceWebview|trill)(?![a-z])/i],
  ['snapchat', /Snapchat/],
  ['linkedin', /\bLinkedInApp\b/],
  ['pinterest', /\bPinterest\b/],
  ['line', /\bLine\//],
  ['wechat', /\bMicroMessenger\//],
  ['x', /\bTwitter(Android| for )/],
  ['google-app', /\bGSA\//],
  ['samsung-internet', /\bSamsungBrowser\//],
  ['edge', /\bEdg(e|A|iOS)?\//],
  ['opera', /\b(OPR|OPT|OPiOS|OPX|Opera( Mini| Mobi)?)\//],
  ['yandex', /\bYaBrowser\//],
  ['vivaldi', /\bVivaldi\//],
  ['duckduckgo', /\b(DuckDuckGo|Ddg)\//],
  ['uc-browser', /\b(UCBrowser|UBrowser)\//],
  ['miui-browser', /\bMiuiBrowser\//],
  ['huawei-browser', /\bHuaweiBrowser\//],
  ['silk', /\bSilk\//],
  ['firefox', /\b(Firefox|FxiOS|Focus|Klar)\//],
  ['internet-explorer', /\b(MSIE |Trident\/)/],
  ['webview', /; wv\)/],
  ['chrome', /\b(Chrome|CriOS|Chromium)\//],
  ['safari', /\bVersion\/[\d.]+.* Safari\//],
  ['webview', /\b(iPhone|iPad|iPod)\b.*AppleWebKit\//],
];

// Windows phones also name the systems that they imitate, so `windows` comes early.
const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ['other', /\b(KAIOS|Tizen|Web0S|webOS)\b/i],
  ['windows', /\bWindows\b|\bXbox\b/],
  ['ios', /(?<!like )\b(iPhone|iPad|iPod)\b/],
  ['android', /(?<!like )\bAndroid\b|\bFBAN\/(FB4A|EMA)\b/],
  ['chromeos', /\bCrOS\b/],
  ['macos', /\bMacintosh\b|\bMac OS X\b/],
  ['linux', /\bLinux\b|\bX11\b/],
];

const first = (signs: typeof browsers, userAgent: string): string =>
  signs.find(([, sign]) => sign.test(userAgent))?.[0] ?? 'other';

/** The browser's name in lower case; `other` if it isn't in the table. */
export const browserOf = (userAgent: string): string => first(browsers, userAgent);

/** The operating system's name in lower case. iPads that identify as Macs are `macos`. */
export const systemOf = (userAgent: string): string => first(systems, userAgent);
