import { createInstance } from "i18next";
import { I18nextProvider, initReactI18next, useTranslation } from "react-i18next";

const i18n = createInstance();
i18n.use(initReactI18next).init({
  lng: "en",
  initAsync: false,
  resources: { en: { translation: { bread: "Bread" } }, de: { translation: { bread: "Brot" } } },
});

function Bread() {
  const { t, i18n } = useTranslation();
  return (
    <>
      <button type="button" data-act onClick={() => i18n.changeLanguage("de")}>
        {t("bread")}
      </button>
      {i18n.language === "de" && <p data-done>{t("bread")}</p>}
    </>
  );
}

export default function I18next() {
  return (
    <I18nextProvider i18n={i18n}>
      <Bread />
    </I18nextProvider>
  );
}
