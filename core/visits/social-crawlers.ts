const isbotFixtures = 'https://github.com/omrilotan/isbot/blob/main/fixtures/crawlers.yml';
const crawlerUserAgents =
  'https://github.com/monperrus/crawler-user-agents/blob/master/crawler-user-agents.json';

/**
 * Services that fetch an address which somebody shared, to show a preview of it: what their user agents say, and
 * the source of that: the address that the user agent itself names, the service's documentation, or a collection
 * that has recorded it. Matched without regard to case. The apps of the same names open pages in browsers of their
 * own, which say something else (`[LinkedInApp]`, `Snapchat/13`, `[Pinterest/iOS]`).
 */
const socialCrawlers: readonly (readonly [pattern: string, source: string])[] = [
  // Also Instagram, Threads, LINE, KakaoTalk, and iMessage, which names three crawlers at once.
  [
    'facebookexternalhit|facebookcatalog|facebot|meta-externalfetcher',
    'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers/',
  ],
  ['twitterbot', 'https://developer.x.com/en/docs/x-for-websites/cards/guides/getting-started'],
  ['linkedinbot', isbotFixtures],
  ['slackbot|slack-imgproxy', 'https://api.slack.com/robots'],
  ['discordbot', 'https://discordapp.com'],
  ['telegrambot', crawlerUserAgents],
  // WhatsApp opens links in the system's browser, so its name is always the preview's. Signal uses it as well.
  ['^whatsapp/', 'https://developers.facebook.com/docs/whatsapp/link-previews'],
  ['^viber/', crawlerUserAgents],
  ['line-poker', crawlerUserAgents],
  ['kakaotalk-scrap', 'https://devtalk.kakao.com/t/scrap/33984'],
  ['skypeuripreview', isbotFixtures],
  // Microsoft Teams and Outlook.
  ['microsoftpreview', 'https://aka.ms/MicrosoftPreview'],
  ['pinterestbot|pinterest/0\\.', 'https://www.pinterest.com/bot.html'],
  ['redditbot', 'http://www.reddit.com/feedback'],
  ['snap url preview|snapchat-proxy', 'https://developers.snap.com/robots'],
  ['vkshare', 'http://vk.com/dev/Share'],
  ['odklbot', crawlerUserAgents],
  ['^tumblr/', crawlerUserAgents],
  ['bluesky cardyb', 'https://cardyb.bsky.app'],
  ['mastodon/', 'https://github.com/mastodon/mastodon/blob/main/app/lib/request.rb'],
  ['misskey/|summalybot', 'https://github.com/misskey-dev/summaly'],
  // Name and version of the server, as Misskey, which they come from, writes them.
  ['^(firefish|sharkey)/', 'https://activitypub.software/TransFem-org/Sharkey'],
  ['\\b(akkoma|pleroma) \\d', 'https://akkoma.dev/AkkomaGang/akkoma'],
  ['^(gotosocial/|friendica)', crawlerUserAgents],
  ['^pixelfedbot/', 'https://github.com/pixelfed/pixelfed'],
  ['^lemmy/', 'https://github.com/LemmyNet/lemmy'],
  ['synapse \\(bot', 'https://github.com/matrix-org/synapse'],
  ['mattermost-bot', 'https://github.com/mattermost/mattermost'],
  ['rocket\\.chat', 'https://github.com/RocketChat/Rocket.Chat'],
  ['discourse forum onebox', 'https://github.com/discourse/onebox'],
  ['quora link preview', 'http://www.quora.com'],
  ['xing-contenttabreceiver', crawlerUserAgents],
  ['bitrix link preview', isbotFixtures],
  ['embedly', 'http://support.embed.ly/'],
  ['iframely', 'https://iframely.com/docs/about'],
  ['flipboardproxy', 'http://flipboard.com/browserproxy'],
  // Google Chat, Groups and Messages.
  ['developers\\.google\\.com/\\+/web/snippet', 'https://developers.google.com/+/web/snippet/'],
  ['yahoo link preview', 'https://help.yahoo.com/kb/mail/yahoo-link-preview-SLN23615.html'],
  ['dingtalkbot-linkservice', 'https://open-doc.dingtalk.com/microapp/faquestions/ftpfeu'],
  ['steamchaturllookup', crawlerUserAgents],
  ['hatenabookmark/|hatena::(fetcher|scissors)/', crawlerUserAgents],
  ['chatwork linkpreview', crawlerUserAgents],
  // Only the names are known, from other services' lists.
  ['nextdoorbot|larkurl2page', "named in others' lists; no page of the vendors says so"],
];

const anySocialCrawler = new RegExp(socialCrawlers.map(([pattern]) => pattern).join('|'), 'i');

export const isSocialCrawler = (userAgent: string): boolean => anySocialCrawler.test(userAgent);
