//! The pictures in a reply.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A picture as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Its media type.
    pub mime: String,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Image {
    /// A picture from an MCP content block; what is no base64 is kept as an empty file and fails where it is looked at.
    pub(super) fn of_block(mime: &str, data: &str) -> Self {
        Self { mime: mime.to_owned(), bytes: STANDARD.decode(data).unwrap_or_default() }
    }

    /// Width, height, and the share of its pixels whose channels are all within `near` of the colour.
    ///
    /// # Errors
    /// When it is no picture of its type, in words.
    pub fn share_of(&self, colour: [u8; 3], near: u8) -> Result<(u32, u32, f64), String> {
        let format = image::ImageFormat::from_mime_type(&self.mime).ok_or_else(|| format!("`{}` is no type of a picture", self.mime))?;
        let picture = image::load_from_memory_with_format(&self.bytes, format)
            .map_err(|error| format!("the picture of {} bytes is no {}: {error}", self.bytes.len(), self.mime))?
            .into_rgb8();
        let fits = |pixel: &&image::Rgb<u8>| pixel.0.iter().zip(colour).all(|(one, other)| one.abs_diff(other) <= near);
        let count = picture.pixels().filter(fits).count();
        let all = f64::from(picture.width()) * f64::from(picture.height());
        // Exact for every picture that fits into memory.
        let share = if all > 0.0 { count as f64 / all } else { 0.0 };
        Ok((picture.width(), picture.height(), share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(pixels: &[[u8; 3]]) -> Image {
        let width = u32::try_from(pixels.len()).unwrap();
        let buffer = image::RgbImage::from_raw(width, 1, pixels.concat()).unwrap();
        let mut bytes = std::io::Cursor::new(Vec::new());
        buffer.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        Image { mime: "image/png".into(), bytes: bytes.into_inner() }
    }

    #[test]
    fn a_colour_has_its_share() {
        let picture = png(&[[0, 128, 96], [10, 120, 100], [255, 255, 255], [0, 128, 130]]);
        assert_eq!(picture.share_of([0, 128, 96], 24), Ok((4, 1, 0.5)));
        assert_eq!(picture.share_of([255, 255, 255], 0), Ok((4, 1, 0.25)));
    }

    #[test]
    fn what_is_no_picture_is_told() {
        assert!(Image { mime: "image/png".into(), bytes: vec![1, 2] }.share_of([0; 3], 0).unwrap_err().contains("2 bytes"));
        assert!(Image { mime: "text/plain".into(), bytes: vec![] }.share_of([0; 3], 0).unwrap_err().contains("text/plain"));
        assert!(Image::of_block("image/png", "***").bytes.is_empty());
    }
}
