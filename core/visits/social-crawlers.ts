const crawlerUserAgents = 'https://github.com/monperrus/crawler-user-agents';

/**
 * Services that fetch a shared address to show a preview: patterns for their user agents, ignoring case, and the
 * source: the address in the user agent, the service's documentation, or a public collection. Apps of the same names
 * open pages in browsers with other user agents (`[LinkedInApp]`, `Snapchat/13`, `[Pinterest/iOS]`).
 */
const socialCrawlers: readonly (readonly [pattern: string, source: string])[] = [
  // Crawlers that name their purpose: Skype, Snapchat, Quora, Zulip, Buffer, ClickUp, Bitrix, Yahoo …
  ['(?:link|ur[il])[ -]?preview|previewbot|unfurl|link ?expander|link-resolver', crawlerUserAgents],
  // Also Instagram, Threads, LINE, KakaoTalk, and iMessage, which names three crawlers at once.
  ['facebook(?:externalhit|catalog)|facebot|meta-external(?:fetcher|hit)', crawlerUserAgents],
  ['twitterbot', 'https://developer.x.com/en/docs/x-for-websites/cards/guides/getting-started'],
  ['linkedinbot|telegrambot', crawlerUserAgents],
  ['slackbot|slack-imgproxy', 'https://api.slack.com/robots'],
  ['discordbot', 'https://discordapp.com'],
  // WhatsApp opens links in the system's browser, so its name always means a preview. Signal uses it as well.
  ['^whatsapp\\b', 'https://developers.facebook.com/docs/whatsapp/link-previews'],
  ['^viber\\b|line-poker|tiktokspider|odklbot|^tumblr/|xing bot|xing-contenttabreceiver', crawlerUserAgents],
  ['kakaotalk-scrap', 'https://devtalk.kakao.com/t/scrap/33984'],
  // Microsoft Teams and Outlook.
  ['microsoftpreview', 'https://aka.ms/MicrosoftPreview'],
  ['pinterestbot|pinterest/0\\.', 'https://www.pinterest.com/bot.html'],
  ['redditbot', 'http://www.reddit.com/feedback'],
  ['snapchat-proxy', 'https://developers.snap.com/robots'],
  ['vkshare|vkrobot', 'http://vk.com/dev/Share'],
  ['bluesky cardyb', 'https://cardyb.bsky.app'],
  ['mastodon/', 'https://github.com/mastodon/mastodon/blob/main/app/lib/request.rb'],
  ['misskey/|summalybot', 'https://github.com/misskey-dev/summaly'],
  // Forks of Misskey, with the same form of user agent: the server's name and version.
  ['^(firefish|sharkey|iceshrimp(\\.net)?)/', 'https://activitypub.software/TransFem-org/Sharkey'],
  // Revolt, now Stoat.
  ['\\bjanuary/\\d', 'https://github.com/revoltchat/january'],
  ['\\b(akkoma|pleroma) \\d', 'https://akkoma.dev/AkkomaGang/akkoma'],
  ['^(gotosocial/|friendica)', crawlerUserAgents],
  ['^pixelfedbot/', 'https://github.com/pixelfed/pixelfed'],
  ['^lemmy/', 'https://github.com/LemmyNet/lemmy'],
  ['synapse \\(bot', 'https://github.com/matrix-org/synapse'],
  ['mattermost-bot', 'https://github.com/mattermost/mattermost'],
  ['rocket\\.chat(?!.*electron)', 'https://github.com/RocketChat/Rocket.Chat'],
  ['groupmebot|keybasebot|mediumbot-|evernoterichlinkbot|^notion/|codabot', crawlerUserAgents],
  ['discourse forum onebox', 'https://github.com/discourse/onebox'],
  ['quora-bot', 'http://www.quora.com'],
  ['embedly', 'http://support.embed.ly/'],
  ['iframely', 'https://iframely.com/docs/about'],
  ['flipboardproxy', 'http://flipboard.com/browserproxy'],
  // Google Chat, Groups and Messages.
  ['developers\\.google\\.com/\\+/web/snippet', 'https://developers.google.com/+/web/snippet/'],
  ['dingtalkbot-linkservice', 'https://open-doc.dingtalk.com/microapp/faquestions/ftpfeu'],
  ['steamchaturllookup|hatenabookmark/|hatena::(fetcher|scissors)/', crawlerUserAgents],
  ['nextdoorbot|larkurl2page', "named in others' lists; no page of the vendors says so"],
];

const anySocialCrawler = new RegExp(socialCrawlers.map(([pattern]) => pattern).join('|'), 'i');

export const isSocialCrawler = (userAgent: string): boolean => anySocialCrawler.test(userAgent);
