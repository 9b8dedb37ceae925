import { icon } from "leaflet";
import image from "leaflet/dist/images/marker-icon.png";
import { useState } from "react";
import { MapContainer, Marker } from "react-leaflet";
import "leaflet/dist/leaflet.css";

export default function Leaflet() {
  const [isThere, setThere] = useState(false);
  return (
    <>
      <MapContainer center={[48.2, 16.4]} zoom={13} style={{ height: 200 }}>
        {isThere && <Marker icon={icon({ iconUrl: image })} position={[48.2, 16.4]} />}
      </MapContainer>
      <button type="button" data-act onClick={() => setThere(true)}>
        Mark
      </button>
      {isThere && <p data-done>marked</p>}
    </>
  );
}
