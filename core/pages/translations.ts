import type { PageWords, Translated } from './words.ts';

/** The words of visitors' pages in every language but English. Loaded only for those who want one of them. */
export const translations: Readonly<Record<Translated, PageWords>> = {
  de: {
    language: 'de',
    abuse: 'Missbrauch melden',
    notFound: {
      title: 'Link nicht gefunden',
      heading: 'Dieser Link führt nirgendwohin',
      text: 'Vielleicht ist er falsch abgetippt, oder er ist nicht mehr gültig. Bitten Sie die Person, die ihn geteilt hat, um einen neuen.',
      onward: 'Weiter zu {host}',
    },
    retry: {
      title: 'Einen Moment',
      heading: 'Einen Moment, bitte',
      text: 'Sehr viele Menschen öffnen gerade diesen Link. Die Seite versucht es von selbst noch einmal.',
    },
    interstitial: {
      app: 'In {app} öffnen',
      anyApp: 'In der App öffnen',
      store: '{app} laden',
      anyStore: 'App laden',
      web: 'Weiter zu {host}',
      browser: { android: 'Im Browser fortfahren', ios: 'In Safari fortfahren' },
      copies: 'Beim Laden der App wird dieser Link kopiert, damit die App ihn nach der Installation findet.',
      inApp:
        'Dies ist der eigene Browser von {browser}. Wenn eine Schaltfläche nichts tut, wählen Sie in seinem Menü „Im Browser öffnen“ und versuchen Sie es noch einmal.',
      devices: { desktop: 'Auf einem Computer', ios: 'Auf einem iPad', android: 'Unter Android' },
    },
  },
  fr: {
    language: 'fr',
    abuse: 'Signaler un abus',
    notFound: {
      title: 'Lien introuvable',
      heading: 'Ce lien ne mène nulle part',
      text: 'Il a peut-être été mal recopié, ou il n’est plus actif. Demandez-en un nouveau à la personne qui l’a partagé avec vous.',
      onward: 'Aller sur {host}',
    },
    retry: {
      title: 'Un instant',
      heading: 'Un instant, s’il vous plaît',
      text: 'Beaucoup de personnes ouvrent ce lien en ce moment. La page réessaie d’elle-même.',
    },
    interstitial: {
      app: 'Ouvrir dans {app}',
      anyApp: 'Ouvrir dans l’application',
      store: 'Télécharger {app}',
      anyStore: 'Télécharger l’application',
      web: 'Continuer vers {host}',
      browser: { android: 'Continuer dans le navigateur', ios: 'Continuer dans Safari' },
      copies:
        'Le téléchargement de l’application copie aussi ce lien, pour que l’application le retrouve après son installation.',
      inApp:
        'Vous êtes dans le navigateur intégré à {browser}. Si un bouton ne fait rien, choisissez « Ouvrir dans le navigateur » dans son menu et réessayez.',
      devices: { desktop: 'Sur un ordinateur', ios: 'Sur un iPad', android: 'Sur Android' },
    },
  },
  es: {
    language: 'es',
    abuse: 'Denunciar un abuso',
    notFound: {
      title: 'Enlace no encontrado',
      heading: 'Este enlace no lleva a ninguna parte',
      text: 'Puede que esté mal escrito o que ya no esté activo. Pida uno nuevo a quien lo compartió con usted.',
      onward: 'Ir a {host}',
    },
    retry: {
      title: 'Un momento',
      heading: 'Un momento, por favor',
      text: 'Muchas personas están abriendo este enlace. La página lo vuelve a intentar sola.',
    },
    interstitial: {
      app: 'Abrir en {app}',
      anyApp: 'Abrir en la aplicación',
      store: 'Descargar {app}',
      anyStore: 'Descargar la aplicación',
      web: 'Continuar a {host}',
      browser: { android: 'Continuar en el navegador', ios: 'Continuar en Safari' },
      copies:
        'Al descargar la aplicación también se copia este enlace, para que la aplicación lo encuentre después de instalarse.',
      inApp:
        'Este es el navegador propio de {browser}. Si un botón no hace nada, elija «Abrir en el navegador» en su menú e inténtelo de nuevo.',
      devices: { desktop: 'En un ordenador', ios: 'En un iPad', android: 'En Android' },
    },
  },
  it: {
    language: 'it',
    abuse: 'Segnala un abuso',
    notFound: {
      title: 'Link non trovato',
      heading: 'Questo link non porta da nessuna parte',
      text: 'Forse è stato scritto male o non è più attivo. Chiedi un nuovo link a chi lo ha condiviso con te.',
      onward: 'Vai a {host}',
    },
    retry: {
      title: 'Un momento',
      heading: 'Un momento, per favore',
      text: 'Moltissime persone stanno aprendo questo link. La pagina riprova da sola.',
    },
    interstitial: {
      app: 'Apri in {app}',
      anyApp: 'Apri nell’app',
      store: 'Scarica {app}',
      anyStore: 'Scarica l’app',
      web: 'Continua su {host}',
      browser: { android: 'Continua nel browser', ios: 'Continua in Safari' },
      copies:
        'Scaricando l’app viene copiato anche questo link, così l’app può trovarlo dopo l’installazione.',
      inApp:
        'Questo è il browser interno di {browser}. Se un pulsante non funziona, scegli «Apri nel browser» dal suo menu e riprova.',
      devices: { desktop: 'Su un computer', ios: 'Su un iPad', android: 'Su Android' },
    },
  },
  pt: {
    language: 'pt',
    abuse: 'Denunciar abuso',
    notFound: {
      title: 'Link não encontrado',
      heading: 'Este link não leva a lugar nenhum',
      text: 'Pode ter sido digitado errado ou já não estar ativo. Peça um novo a quem o compartilhou com você.',
      onward: 'Ir para {host}',
    },
    retry: {
      title: 'Um momento',
      heading: 'Um momento, por favor',
      text: 'Muitas pessoas estão abrindo este link. A página tenta de novo sozinha.',
    },
    interstitial: {
      app: 'Abrir em {app}',
      anyApp: 'Abrir no aplicativo',
      store: 'Baixar {app}',
      anyStore: 'Baixar o aplicativo',
      web: 'Continuar para {host}',
      browser: { android: 'Continuar no navegador', ios: 'Continuar no Safari' },
      copies:
        'Ao baixar o aplicativo, este link também é copiado, para que o aplicativo o encontre depois da instalação.',
      inApp:
        'Este é o navegador próprio do {browser}. Se um botão não fizer nada, escolha “Abrir no navegador” no menu e tente de novo.',
      devices: { desktop: 'No computador', ios: 'No iPad', android: 'No Android' },
    },
  },
  nl: {
    language: 'nl',
    abuse: 'Misbruik melden',
    notFound: {
      title: 'Link niet gevonden',
      heading: 'Deze link leidt nergens heen',
      text: 'Misschien is hij verkeerd overgetypt, of hij is niet meer actief. Vraag degene die hem heeft gedeeld om een nieuwe.',
      onward: 'Naar {host}',
    },
    retry: {
      title: 'Een ogenblik',
      heading: 'Een ogenblik geduld',
      text: 'Heel veel mensen openen deze link. De pagina probeert het vanzelf opnieuw.',
    },
    interstitial: {
      app: 'Openen in {app}',
      anyApp: 'Openen in de app',
      store: '{app} downloaden',
      anyStore: 'App downloaden',
      web: 'Verder naar {host}',
      browser: { android: 'Verder in de browser', ios: 'Verder in Safari' },
      copies:
        'Bij het downloaden van de app wordt deze link ook gekopieerd, zodat de app hem na de installatie kan vinden.',
      inApp:
        'Dit is de eigen browser van {browser}. Als een knop niets doet, kies dan “Openen in browser” in het menu en probeer het opnieuw.',
      devices: { desktop: 'Op een computer', ios: 'Op een iPad', android: 'Op Android' },
    },
  },
  pl: {
    language: 'pl',
    abuse: 'Zgłoś nadużycie',
    notFound: {
      title: 'Nie znaleziono linku',
      heading: 'Ten link donikąd nie prowadzi',
      text: 'Być może zawiera literówkę albo nie jest już aktywny. Poproś o nowy osobę, która go udostępniła.',
      onward: 'Przejdź do {host}',
    },
    retry: {
      title: 'Chwileczkę',
      heading: 'Proszę chwilę poczekać',
      text: 'Bardzo wiele osób otwiera ten link. Strona sama spróbuje ponownie.',
    },
    interstitial: {
      app: 'Otwórz w aplikacji {app}',
      anyApp: 'Otwórz w aplikacji',
      store: 'Pobierz aplikację {app}',
      anyStore: 'Pobierz aplikację',
      web: 'Przejdź do {host}',
      browser: { android: 'Kontynuuj w przeglądarce', ios: 'Kontynuuj w Safari' },
      copies: 'Pobranie aplikacji kopiuje też ten link, aby aplikacja mogła go znaleźć po instalacji.',
      inApp:
        'To jest wbudowana przeglądarka aplikacji {browser}. Jeśli przycisk nie działa, wybierz z menu „Otwórz w przeglądarce” i spróbuj ponownie.',
      devices: { desktop: 'Na komputerze', ios: 'Na iPadzie', android: 'Na Androidzie' },
    },
  },
  ja: {
    language: 'ja',
    abuse: '不正利用を報告',
    notFound: {
      title: 'リンクが見つかりません',
      heading: 'このリンクの先には何もありません',
      text: '入力が間違っているか、リンクが無効になっている可能性があります。共有した人に新しいリンクを確認してください。',
      onward: '{host} に移動',
    },
    retry: {
      title: 'お待ちください',
      heading: '少々お待ちください',
      text: '現在、多くの人がこのリンクを開いています。ページは自動的に再試行します。',
    },
    interstitial: {
      app: '{app} で開く',
      anyApp: 'アプリで開く',
      store: '{app} を入手',
      anyStore: 'アプリを入手',
      web: '{host} に進む',
      browser: { android: 'ブラウザで続ける', ios: 'Safari で続ける' },
      copies: 'アプリを入手すると、インストール後にアプリが見つけられるように、このリンクもコピーされます。',
      inApp:
        'これは {browser} のアプリ内ブラウザです。ボタンが反応しない場合は、メニューから「ブラウザで開く」を選んで、もう一度お試しください。',
      devices: { desktop: 'パソコンの場合', ios: 'iPad の場合', android: 'Android の場合' },
    },
  },
  zh: {
    language: 'zh-Hans',
    abuse: '举报滥用',
    notFound: {
      title: '找不到链接',
      heading: '此链接没有指向任何页面',
      text: '链接可能输入有误，或者已经失效。请向分享者索取新的链接。',
      onward: '前往 {host}',
    },
    retry: {
      title: '请稍候',
      heading: '请稍候',
      text: '现在有很多人正在打开此链接。页面会自动重试。',
    },
    interstitial: {
      app: '在 {app} 中打开',
      anyApp: '在应用中打开',
      store: '下载 {app}',
      anyStore: '下载应用',
      web: '继续前往 {host}',
      browser: { android: '在浏览器中继续', ios: '在 Safari 中继续' },
      copies: '下载应用时会同时复制此链接，以便应用在安装后找到它。',
      inApp: '这是 {browser} 的内置浏览器。如果按钮没有反应，请在菜单中选择“在浏览器中打开”，然后重试。',
      devices: { desktop: '在电脑上', ios: '在 iPad 上', android: '在 Android 上' },
    },
  },
};
