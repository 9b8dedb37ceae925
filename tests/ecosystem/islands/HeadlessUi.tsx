import { Disclosure, DisclosureButton, DisclosurePanel } from "@headlessui/react";

export default function HeadlessUi() {
  return (
    <Disclosure>
      <DisclosureButton data-act>More</DisclosureButton>
      <DisclosurePanel data-done>Baked on Fridays.</DisclosurePanel>
    </Disclosure>
  );
}
