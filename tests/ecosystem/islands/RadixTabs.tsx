import * as Tabs from "@radix-ui/react-tabs";

export default function RadixTabs() {
  return (
    <Tabs.Root defaultValue="one">
      <Tabs.List aria-label="Breads">
        <Tabs.Trigger value="one">Rye</Tabs.Trigger>
        <Tabs.Trigger value="two" data-act>
          Spelt
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="one">Dark</Tabs.Content>
      <Tabs.Content value="two">
        <p data-done>Light</p>
      </Tabs.Content>
    </Tabs.Root>
  );
}
