export default {
  title: 'Yeast',
  tagline: 'Small and alive',
  url: 'https://www.yeast.test',
  baseUrl: '/',
  i18n: { defaultLocale: 'en', locales: ['en', 'de'], localeConfigs: { de: { label: 'Deutsch' } } },
  presets: [['classic', { docs: { sidebarPath: './sidebars.js' }, blog: { showReadingTime: true } }]],
};
