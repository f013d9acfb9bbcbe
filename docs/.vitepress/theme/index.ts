// Without the default theme's fonts: pages are read in the system's own, as the inbox is.
import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

export default DefaultTheme;
