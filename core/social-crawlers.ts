/**
 * Services that fetch an address which somebody shared, to show a preview of it: what their user agents say, and
 * where that is documented or was recorded. Matched without regard to case. The apps of the same names open pages in
 * browsers of their own, which say something else (`[LinkedInApp]`, `Snapchat/13`, `[Pinterest/iOS]`).
 */
const crawlers: readonly (readonly [pattern: string, source: string])[] = [
  // Also Instagram, Threads, LINE, KakaoTalk, and iMessage, which names three crawlers at once.
  ['facebookexternalhit|facebookcatalog|facebot', 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers/'],
  ['meta-externalfetcher', 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers/'],
  ['twitterbot', 'https://developer.x.com/en/docs/x-for-websites/cards/guides/getting-started'],
  ['linkedinbot', 'https://www.linkedin.com/robots.txt'],
  ['slackbot|slack-imgproxy', 'https://api.slack.com/robots'],
  ['discordbot', 'https://discord.com/developers/docs/resources/message#embed-object'],
  ['telegrambot', 'https://core.telegram.org/api/links'],
  // WhatsApp opens links in the system's browser, so its name is always the preview's. Signal fetches under it, too.
  ['^whatsapp/', 'https://developers.facebook.com/docs/whatsapp/link-previews'],
  ['^viber/', 'https://github.com/omrilotan/isbot/blob/main/fixtures/crawlers.yml'],
  ['line-poker', 'https://developers.line.biz/en/faq/'],
  ['kakaotalk-scrap', 'https://devtalk.kakao.com/t/scrap/33984'],
  ['skypeuripreview', 'https://github.com/monperrus/crawler-user-agents'],
  // Microsoft Teams and Outlook.
  ['microsoftpreview', 'https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0'],
  ['pinterestbot|pinterest/0\\.', 'https://help.pinterest.com/en/business/article/pinterest-crawler'],
  ['redditbot', 'https://github.com/omrilotan/isbot/blob/main/fixtures/crawlers.yml'],
  ['snap url preview|snapchat-proxy', 'https://developers.snap.com/robots'],
  ['vkshare', 'https://dev.vk.com/en/reference/widgets/share'],
  ['odklbot', 'https://github.com/monperrus/crawler-user-agents'],
  ['^tumblr/', 'https://github.com/monperrus/crawler-user-agents'],
  ['bluesky cardyb', 'https://github.com/bluesky-social/social-app/tree/main/bskyembed'],
  ['mastodon/', 'https://github.com/mastodon/mastodon/blob/main/app/lib/request.rb'],
  ['misskey/|summalybot', 'https://github.com/misskey-dev/summaly'],
  ['\\b(akkoma|pleroma) \\d', 'https://docs.akkoma.dev/stable/'],
  ['^lemmy/', 'https://github.com/LemmyNet/lemmy'],
  ['synapse \\(bot', 'https://github.com/element-hq/synapse/blob/develop/docs/development/url_previews.md'],
  ['mattermost-bot', 'https://docs.mattermost.com/administration-guide/configure/site-configuration-settings.html'],
  ['rocket\\.chat', 'https://docs.rocket.chat/docs/message'],
  ['discourse forum onebox', 'https://github.com/discourse/onebox'],
  ['quora link preview', 'https://github.com/omrilotan/isbot/blob/main/fixtures/crawlers.yml'],
  ['xing-contenttabreceiver', 'https://github.com/monperrus/crawler-user-agents'],
  ['bitrix link preview', 'https://github.com/omrilotan/isbot/blob/main/fixtures/crawlers.yml'],
  ['embedly', 'https://docs.embed.ly/reference/content-filtering'],
  ['iframely', 'https://iframely.com/docs/about'],
  ['flipboardproxy', 'https://flipboard.com/browserproxy'],
];

const anyCrawler = new RegExp(crawlers.map(([pattern]) => pattern).join('|'), 'i');

export const isSocialCrawler = (userAgent: string): boolean => anyCrawler.test(userAgent);
