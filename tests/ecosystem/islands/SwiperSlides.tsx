import { useState } from "react";
import { Swiper, SwiperSlide } from "swiper/react";
import "swiper/css";

export default function SwiperSlides() {
  const [index, setIndex] = useState(0);
  const [swiper, setSwiper] = useState<{ slideNext: () => void }>();
  return (
    <>
      <Swiper onSwiper={setSwiper} onSlideChange={({ activeIndex }) => setIndex(activeIndex)} speed={0}>
        <SwiperSlide>Rye</SwiperSlide>
        <SwiperSlide>Spelt</SwiperSlide>
      </Swiper>
      <button type="button" data-act onClick={() => swiper?.slideNext()}>
        Next
      </button>
      {index === 1 && <p data-done>next</p>}
    </>
  );
}
