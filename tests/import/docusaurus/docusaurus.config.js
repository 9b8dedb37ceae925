export default {
  title: 'Yeast',
  tagline: 'Small and alive',
  url: 'https://www.yeast.test',
  baseUrl: '/',
  presets: [['classic', { docs: { sidebarPath: './sidebars.js' }, blog: { showReadingTime: true } }]],
};
