import { useState } from "react";
import { useDropzone } from "react-dropzone";

export default function Dropzone() {
  const [isOpened, setOpened] = useState(false);
  const { getRootProps, getInputProps } = useDropzone({ onFileDialogOpen: () => setOpened(true), useFsAccessApi: false });
  return (
    <>
      <div {...getRootProps()} data-act>
        <input {...getInputProps()} aria-label="File" />
        Drop
      </div>
      {isOpened && <p data-done>opened</p>}
    </>
  );
}
