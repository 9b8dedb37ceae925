import * as Accordion from "@radix-ui/react-accordion";

export default function RadixAccordion() {
  return (
    <Accordion.Root type="single" collapsible>
      <Accordion.Item value="rye">
        <Accordion.Header asChild>
          <h2>
            <Accordion.Trigger data-act>Rye</Accordion.Trigger>
          </h2>
        </Accordion.Header>
        <Accordion.Content>
          <p data-done>Baked on Fridays.</p>
        </Accordion.Content>
      </Accordion.Item>
    </Accordion.Root>
  );
}
