import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';
export default defineConfig({
  site: 'https://www.crumb.test',
  base: '/docs',
  integrations: [starlight({ title: 'Crumb', locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch', lang: 'de' } } })],
});
