-- Reads records in batches. Arguments: batch, batches, keep or drop.
import qualified Data.ByteString as B
import System.Environment
import System.IO

main :: IO ()
main = do
  [size, batches, keep] <- getArgs
  hSetBuffering stdout LineBuffering
  let go i cache
        | i > (read batches :: Int) = print (sum (map (fromIntegral . B.last) cache) :: Int)
        | otherwise = do
            let batch = B.replicate (read size * 65536) (fromIntegral i)
            putStrLn ("batch " ++ show i ++ "/" ++ batches ++ " ends with " ++ show (B.last batch))
            go (i + 1) $! if keep == "keep" then batch : cache else []
  go 1 []
