"""Rows of Spark, collected by its driver. Arguments: MiB of the driver's heap, thousands of rows."""
import sys

from pyspark.sql import SparkSession

spark = (SparkSession.builder.master("local[1]").config("spark.driver.memory", sys.argv[1] + "m")
         .config("spark.ui.enabled", "false").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate())
frame = spark.range(int(sys.argv[2]) * 1000).selectExpr("id", "repeat(cast(id as string), 40) as text")
print("collected", len(frame.collect()))
